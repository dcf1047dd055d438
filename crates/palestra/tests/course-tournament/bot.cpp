// Plays the first column of ORDER that is not full.
#include <iostream>
#include <map>
#include <sstream>
#include <string>

static const std::string ORDER = "4352617";

int main() {
    std::map<std::string, int> heights;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "ugi") std::cout << "id name c++\nugiok" << std::endl;
        else if (word == "isready") std::cout << "readyok" << std::endl;
        else if (word == "position") {
            heights.clear();
            while (words >> word) heights[word]++;
        } else if (word == "go") {
            for (char column : ORDER) {
                if (heights[std::string(1, column)] < 6) {
                    std::cout << "bestmove " << column << std::endl;
                    break;
                }
            }
        } else if (word == "quit") break;
    }
}
