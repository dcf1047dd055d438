//! Plays the first column of ORDER that is not full.
use std::io::{self, BufRead};

const ORDER: &str = "4352617";

fn main() {
    let mut moves: Vec<String> = Vec::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first() {
            Some(&"ugi") => println!("id name rust\nugiok"),
            Some(&"isready") => println!("readyok"),
            Some(&"position") => moves = words.iter().skip(3).map(|word| (*word).to_owned()).collect(),
            Some(&"go") => {
                let is_free = |column: &char| moves.iter().filter(|mv| **mv == column.to_string()).count() < 6;
                println!("bestmove {}", ORDER.chars().find(is_free).unwrap_or('0'));
            }
            Some(&"quit") => break,
            _ => {}
        }
    }
}
