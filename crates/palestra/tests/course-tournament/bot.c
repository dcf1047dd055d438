/* Plays the first column of ORDER that is not full. */
#include <stdio.h>
#include <string.h>

static const char *ORDER = "4352617";
static int heights[128];

static void set_up(char *line) {
    memset(heights, 0, sizeof heights);
    char *moves = strstr(line, "moves");
    for (char *at = moves ? moves + 5 : line + strlen(line); *at; at++) heights[(unsigned char)*at % 128]++;
}

static char choose(void) {
    const char *column = ORDER;
    while (heights[(int)*column] >= 6) column++;
    return *column;
}

int main(void) {
    static char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "uginewgame", 10)) continue;
        if (!strncmp(line, "ugi", 3)) puts("id name c\nugiok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "position", 8)) set_up(line);
        else if (!strncmp(line, "go", 2)) printf("bestmove %c\n", choose());
        else if (!strncmp(line, "quit", 4)) break;
        fflush(stdout);
    }
    return 0;
}
