// A small player for Connect games that speaks UGI.
// It wins if it can, blocks if it must, and otherwise plays near the middle.
//
// Build: g++ -O2 -std=c++17 -o player bot.cpp
// Try:   palestra engine check connect4 cmd:./player

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Size {
    int columns = 7, rows = 6, run = 4;
};

// Stones in columns, each column from the bottom up.
struct Board {
    Size size;
    std::vector<std::vector<int>> stacks;
    int player = 1;  // who moves next: 1 or 2

    explicit Board(Size of) : size(of), stacks(of.columns) {}

    bool legal(int column) const {
        return 0 <= column && column < size.columns && int(stacks[column].size()) < size.rows;
    }

    void play(int column) {
        stacks[column].push_back(player);
        player = 3 - player;
    }

    int stone(int column, int row) const {
        bool there = 0 <= column && column < size.columns && 0 <= row && row < int(stacks[column].size());
        return there ? stacks[column][row] : 0;
    }

    // Whether a stone of this player, dropped here, makes a run.
    bool wins(int column, int who) const {
        const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
        int row = int(stacks[column].size());
        for (auto [step_column, step_row] : steps) {
            int length = 1;
            for (int way : {1, -1}) {
                int n = 1;
                while (stone(column + way * n * step_column, row + way * n * step_row) == who) n++;
                length += n - 1;
            }
            if (length >= size.run) return true;
        }
        return false;
    }
};

// The whole brain: replace this with yours.
int choose(const Board& board) {
    for (int player : {board.player, 3 - board.player}) {
        for (int column = 0; column < board.size.columns; column++) {
            if (board.legal(column) && board.wins(column, player)) return column;
        }
    }
    int best = -1, best_distance = 0;
    for (int column = 0; column < board.size.columns; column++) {
        int distance = std::abs(2 * column - (board.size.columns - 1));
        if (board.legal(column) && (best < 0 || distance < best_distance)) {
            best = column;
            best_distance = distance;
        }
    }
    return best;
}

// Answers the referee. std::endl flushes: without it the line would wait in a buffer while our clock runs.
void say(const std::string& line) { std::cout << line << std::endl; }

int main() {
    Size size;
    Board board(size);
    std::string line;
    while (std::getline(std::cin, line)) {  // ends when the referee closes our input
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "ugi") {
            say("id name cpp-example");
            say("id author nobody");
            say("option name UGI_Variant type string default connect:7x6x4");
            say("ugiok");
        } else if (word == "setoption") {
            // setoption name UGI_Variant value connect:7x6x4
            std::string name_word, name, value_word, value;
            words >> name_word >> name >> value_word >> value;
            Size given;
            int found = std::sscanf(value.c_str(), "connect:%dx%dx%d", &given.columns, &given.rows, &given.run);
            if (name == "UGI_Variant" && found == 3) size = given;
        } else if (word == "isready") {
            say("readyok");
        } else if (word == "uginewgame") {
            board = Board(size);
        } else if (word == "position") {
            // position startpos moves 4 4 5: always the whole game, columns counted from 1
            board = Board(size);
            std::string skipped;
            words >> skipped >> skipped;
            for (int column; words >> column;) {
                if (board.legal(column - 1)) board.play(column - 1);
            }
        } else if (word == "go") {
            say("bestmove " + std::to_string(choose(board) + 1));
        } else if (word == "quit") {
            break;
        } else if (!word.empty() && word != "stop") {  // we answer at once: there is never a search to stop
            std::cerr << "not understood: " << line << std::endl;
        }
    }
}
