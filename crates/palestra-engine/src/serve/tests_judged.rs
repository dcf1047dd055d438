//! Built-in players with the protocol of the Connect-C judge. The Ladrillos protocol is tested with processes, in the
//! tests of the program, where its game is compiled anyway.

use super::{ServeError, ServedPlayer, serve_judge};
use crate::protocols::{LineRules, ProtocolSpec};
use palestra_core::Seed;
use palestra_registry::GAMES;
use proptest::prelude::*;

fn answers(protocol: &str, player: &str, input: &str) -> Result<String, ServeError> {
    let protocol = protocol.parse::<ProtocolSpec>().unwrap().load().unwrap();
    let served = ServedPlayer { games: &GAMES, player, seed: Seed(1) };
    let mut output = Vec::new();
    serve_judge(&served, protocol.kind.line_rules().unwrap(), input.as_bytes(), &mut output)?;
    Ok(String::from_utf8(output).unwrap())
}

#[track_caller]
fn check(protocol: &str, player: &str, input: &str, expected: &str) {
    assert_eq!(answers(protocol, player, input).unwrap(), expected, "{input:?}");
}

#[test]
fn conecta_c() {
    check("conecta-c", "first", "azul rojo 7 6 4 21\nvos\n3\n", "0\n0\n");
    check("conecta-c", "first", "rojo azul 7 6 4 21\nel\n3\n3\n", "0\n0\n");
    // The judge may use any color names, and may break lines anywhere.
    let games = "blanco negro 7 6 4 21 vos 6 6 6 ganaste\n\nnegro blanco 5 4 3 2 yo 2 perdiste a b 1 1 2 1 vos empataron salir";
    check("conecta-c", "first", games, "0\n0\n0\n0\n0\n0\nlisto\n");
    check("conecta-c", "first", "salir\n", "listo\n");
    check("conecta-c", "first", "azul salir", "listo\n");
    check("conecta-c", "first", "azul rojo 7 6 4 21 salir", "listo\n");
    check("conecta-c", "first", "azul rojo 7 6 4 21 vos salir", "0\nlisto\n");
}

#[test]
fn invalid_messages_of_a_judge() {
    let bad = |input: &str| answers("conecta-c", "first", input).unwrap_err().to_string();
    assert!(
        bad("azul rojo x 6 4 21\nvos").contains("message of the judge: expected {own} {other} {columns}")
    );
    assert!(bad("azul rojo 99 6 4 21 vos").contains("columns"));
    assert!(bad("azul rojo 7 6 4 21 el tres").contains("expected a move of the opponent"));
    assert!(bad("azul rojo 7 6 4 21 el 7").contains("legal move"));
    let player = answers("conecta-c", "frist", "azul rojo 7 6 4 21 vos").unwrap_err().to_string();
    assert!(player.contains("did you mean \"first\"?"), "{player}");
}

proptest! {
    /// No input makes the player panic.
    #[test]
    fn no_input_panics(input in "(azul|rojo|vos|salir|ganaste|[0-9]| |\n|\\PC){0,20}") {
        let _ = answers("conecta-c", "first", &input);
        let _ = answers("conecta-c", "first", &format!("azul rojo 4 4 3 8 el {input}"));
        let _ = LineRules::read(&input, "a file");
    }
}
