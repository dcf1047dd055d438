// A small player for Connect games that speaks UGI.
// It wins if it can, blocks if it must, and otherwise plays near the middle.
//
// Build: javac Bot.java
// Try:   palestra engine check connect4 cmd:'java Bot'

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Bot {
    static final int[][] STEPS = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

    int columns = 7, rows = 6, run = 4;
    int[][] stones; // stones[column][row], rows from the bottom; 0 is empty
    int[] heights; // stones in each column
    int player; // who moves next: 1 or 2

    void clear() {
        stones = new int[columns][rows];
        heights = new int[columns];
        player = 1;
    }

    boolean legal(int column) {
        return heights[column] < rows;
    }

    void play(int column) {
        stones[column][heights[column]++] = player;
        player = 3 - player;
    }

    int stone(int column, int row) {
        boolean there = 0 <= column && column < columns && 0 <= row && row < rows;
        return there ? stones[column][row] : 0;
    }

    /** Whether a stone of this player, dropped here, makes a run. */
    boolean wins(int column, int who) {
        int row = heights[column];
        for (int[] step : STEPS) {
            int length = 1;
            for (int way = -1; way <= 1; way += 2) {
                int n = 1;
                while (stone(column + way * n * step[0], row + way * n * step[1]) == who) n++;
                length += n - 1;
            }
            if (length >= run) return true;
        }
        return false;
    }

    /** The whole brain: replace this with yours. */
    int choose() {
        for (int who : new int[] {player, 3 - player}) {
            for (int column = 0; column < columns; column++) {
                if (legal(column) && wins(column, who)) return column;
            }
        }
        int best = -1, bestDistance = 0;
        for (int column = 0; column < columns; column++) {
            int distance = Math.abs(2 * column - (columns - 1));
            if (legal(column) && (best < 0 || distance < bestDistance)) {
                best = column;
                bestDistance = distance;
            }
        }
        return best;
    }

    /** Answers the referee. Without flush the line could wait in a buffer while our clock runs. */
    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** setoption name UGI_Variant value connect:7x6x4 */
    void setOption(String[] words) {
        if (words.length < 5 || !words[2].equals("UGI_Variant") || !words[4].startsWith("connect:")) return;
        String[] numbers = words[4].substring("connect:".length()).split("x");
        if (numbers.length < 3) return;
        columns = Integer.parseInt(numbers[0]);
        rows = Integer.parseInt(numbers[1]);
        run = Integer.parseInt(numbers[2]);
    }

    void listen() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        clear();
        String line;
        while ((line = input.readLine()) != null) { // ends when the referee closes our input
            String[] words = line.trim().split("\\s+");
            switch (words[0]) {
                case "ugi" -> {
                    say("id name java-example");
                    say("id author nobody");
                    say("option name UGI_Variant type string default connect:7x6x4");
                    say("ugiok");
                }
                case "setoption" -> setOption(words);
                case "isready" -> say("readyok");
                case "uginewgame" -> clear();
                case "position" -> {
                    // position startpos moves 4 4 5: always the whole game, columns counted from 1
                    clear();
                    for (int i = 3; i < words.length; i++) play(Integer.parseInt(words[i]) - 1);
                }
                case "go" -> say("bestmove " + (choose() + 1));
                case "quit" -> {
                    return;
                }
                case "stop", "" -> {} // we answer at once: there is never a search to stop
                default -> System.err.println("not understood: " + line);
            }
        }
    }

    public static void main(String[] args) throws IOException {
        new Bot().listen();
    }
}
