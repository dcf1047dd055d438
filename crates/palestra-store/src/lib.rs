//! The store: one SQLite file with every run, plan, player, generation and game.
