// Plays the first column of ORDER that is not full.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Bot {
    static final String ORDER = "4352617";

    static char choose(String[] words) {
        int[] heights = new int[8];
        for (int i = 3; i < words.length; i++) heights[Integer.parseInt(words[i])]++;
        for (char column : ORDER.toCharArray()) if (heights[column - '0'] < 6) return column;
        return '0';
    }

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        String[] position = {};
        for (String line; (line = input.readLine()) != null;) {
            String[] words = line.trim().split("\\s+");
            switch (words[0]) {
                case "ugi" -> System.out.println("id name java\nugiok");
                case "isready" -> System.out.println("readyok");
                case "position" -> position = words;
                case "go" -> System.out.println("bestmove " + choose(position));
                case "quit" -> { return; }
                default -> { }
            }
        }
    }
}
