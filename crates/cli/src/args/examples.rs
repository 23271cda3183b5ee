//! Examples in the help of the commands. A test parses every one of them.

use clap::Command;

use super::games::at;

/// A command, and a few ways to use it.
type Examples = (&'static [&'static str], &'static [(&'static str, &'static str)]);

const EXAMPLES: &[Examples] = &[
    (
        &["show"],
        &[
            ("show othello", "the start"),
            ("show shogi --moves '7g7f 3c3d'", "after two moves"),
            ("show trax --moves '@0/ A2+' --ascii", "in letters"),
            ("show othello --moves f5d6c3 --eval classic", "with a static value"),
        ],
    ),
    (
        &["perft"],
        &[
            ("perft othello 9", "leaves at every depth up to 9"),
            ("perft shogi 4 --divide", "by first move"),
            ("perft trax 5 --distinct", "different positions"),
            ("perft othello 12 --threads 4 --hash 1024", "faster"),
        ],
    ),
    (
        &["replay"],
        &[("replay shogi games.csa", "checks a file"), ("replay othello - --json < games.ggf", "from standard input")],
    ),
    (
        &["convert"],
        &[
            ("convert shogi games.csa --to kif > games.kif", "CSA to KIF"),
            ("convert othello WTH_2004.wtb --to transcript", "WTHOR to plain moves"),
        ],
    ),
    (
        &["records"],
        &[
            ("records shogi floodgate/ --min-rating 2500 --min-plies 51 --split 0.1 --out games", "for training"),
            ("records shogi games.csa --ending resignation --no-abnormal --out clean.csa", "one file of records"),
            ("stats shogi games.train", "a list stands for its files"),
        ],
    ),
    (
        &["play"],
        &[
            ("play othello", "against the engine, on the full screen"),
            ("play shogi --first alphabeta --second human", "the engine begins"),
            ("play trax --time 5s --save game.txt", "five seconds per move"),
            ("play ostle --first human --second human", "two people"),
            ("play othello --game game.ggf", "continues a game"),
        ],
    ),
    (
        &["serve"],
        &[
            ("serve --open", "the page in your browser"),
            ("serve --listen 0.0.0.0:8080 --host games.example", "open to other machines, under a name"),
            ("serve --tournament results --listen 127.0.0.1:0", "watches a tournament, on any free port"),
        ],
    ),
    (
        &["analyze"],
        &[
            ("analyze othello --moves f5d6c3 --time 10s", "the best move after an opening"),
            ("analyze shogi --lines 3 --depth 12", "the best three moves"),
            ("analyze othello --game game.ggf --plot game.svg", "every move of a game, with a plot"),
            ("analyze trax --engine uct:playouts=10000", "by another engine"),
        ],
    ),
    (
        &["best-move"],
        &[
            ("best-move othello --time 1s < game.txt", "a game on standard input"),
            ("best-move shogi --depth 10 --threads 1 --hash 64 < game.txt", "reproducible"),
        ],
    ),
    (
        &["engine"],
        &[
            ("engine usi", "for shogi board programs"),
            ("engine gtp", "for GoGui and other Othello boards"),
            ("engine nboard --engine expert:level=20,threads=2", "for NBoard"),
        ],
    ),
    (
        &["connect"],
        &[
            ("connect othello --host example.org --port 3000 --name me", "plays with the default engine"),
            ("connect othello --reconnect --log games.log", "comes back when the connection is lost"),
            ("connect csa --name me --game test-600-10 --password word --games 5", "shogi, on a server like floodgate"),
        ],
    ),
    (
        &["host"],
        &[
            ("host othello --players 4 --rounds 2 --time 5m", "four players, everybody meets everybody twice"),
            ("host othello --listen 0.0.0.0 --port 0 --out games.ggf", "open to other machines"),
            ("host trax --rounds 10 --out contest", "two contest programs, on the ports 10001 and 10002"),
        ],
    ),
    (
        &["puzzles"],
        &[
            ("puzzles trax --count 50 --out trax.jsonl", "fifty attacks, the same for the same seed"),
            ("puzzles othello --count 100 --seed 7 --out best-moves.jsonl", "others"),
        ],
    ),
    (
        &["match"],
        &[
            ("match othello expert:level=8 expert:level=6", "100 games"),
            ("match trax alphabeta uct --time 100ms --games 400 --out trax-match", "stored, with a report"),
            ("match shogi alphabeta:depth=5 alphabeta:depth=4 --sprt 0,10 --games 20000", "a sequential test"),
            ("match othello expert 'process:cmd=\"edax -gtp\",protocol=gtp' --clock 60s+1s", "another program"),
        ],
    ),
    (
        &["tournament", "run"],
        &[
            ("tournament run tournament.toml --out results", "a new folder with games and report"),
            ("tournament run levels.toml --game trax --out trax", "the events of one game"),
        ],
    ),
    (&["tournament", "resume"], &[("tournament resume results", "plays the missing games")]),
    (
        &["stats"],
        &[
            ("stats shogi games.csa", "lengths, endings, results, ratings"),
            ("stats othello results", "of a tournament's folder"),
        ],
    ),
    (
        &["solve", "othello"],
        &[
            ("solve othello positions.obf", "exact scores of a file of positions"),
            ("solve othello - --wld --threads 2 < positions.obf", "win, loss or draw only"),
        ],
    ),
    (
        &["solve", "ostle"],
        &[
            ("solve ostle --out tables --pieces 8", "a small tablebase, in a minute"),
            ("solve ostle --out tables --time-limit 2h", "the same command resumes"),
        ],
    ),
    (&["query"], &[("query ostle", "the start of the game"), ("query ostle --line --moves c5u", "and the best line")]),
    (
        &["verify"],
        &[
            ("verify results", "a tournament, a tablebase or any file of ours"),
            ("verify tables --step 1000", "a sample"),
        ],
    ),
    (
        &["train"],
        &[
            ("train othello --data games.set --out my.weights", "trains a pattern evaluation"),
            ("train othello --data games.set --eval classic my.weights", "compares evaluations"),
            (
                "train shogi --net policy-value:blocks=6,channels=64 --data train.set --test test.set --out my.safetensors",
                "trains a network",
            ),
        ],
    ),
    (&["train", "data"], &[("train data othello games/ --out games.set", "a data set from records")]),
    (
        &["solve", "shogi"],
        &[
            ("solve shogi problems.sfen", "the shortest mate of every position of a file"),
            ("solve shogi '7nl/7k1/9/7G1/9/9/9/9/9 b R 1' --any", "the first mate found"),
            ("solve shogi - --max 11 --time 1s --json < problems.sfen", "short ones, for a program"),
        ],
    ),
    (
        &["export"],
        &[
            ("export ostle 4-4 --out class.parquet", "for pyarrow, DuckDB and other programs"),
            ("export ostle 5-5 --step 1000 --rows 100000 > sample.csv", "a sample"),
        ],
    ),
    (
        &["train", "label"],
        &[("train label othello --data games.set --out labelled.set --depth 10", "labels by search")],
    ),
    (&["train", "export"], &[("train export othello --format edax --out eval.dat", "the shipped weights")]),
    (&["net", "show"], &[("net show my.safetensors", "architecture, tensors and metadata")]),
    (
        &["net", "eval"],
        &[
            ("net eval my.safetensors --data test.set", "accuracy on positions it was not trained on"),
            ("net eval ostle.safetensors --tablebase tables", "share of optimal moves, and the error of the value"),
        ],
    ),
    (
        &["net", "convert"],
        &[
            ("net convert my.safetensors --to onnx --out my.onnx", "for other programs"),
            ("net convert my.safetensors --to safetensors --precision f16 --out small.safetensors", "half the size"),
        ],
    ),
    (&["net", "bench"], &[("net bench my.safetensors --batch 1,64 --threads 1", "positions per second")]),
    (
        &["selfplay"],
        &[
            ("selfplay othello --games 10000 --out self.set", "games of the default engine"),
            ("selfplay othello --games 500 --engine expert:level=8 --out self.set", "of another one"),
            ("selfplay trax --games 10000 --engine alphabeta:nodes=2500,hash=1 --out self.set", "values and results"),
            (
                "selfplay shogi --games 10000 --engine alphabeta:nodes=2000,hash=1 --out self.set",
                "for the evaluation nnue",
            ),
        ],
    ),
    (
        &["improve"],
        &[
            ("improve ostle --generations 10 --out ostle-net", "from random weights; the same command resumes"),
            (
                "improve shogi --generations 3 --init my.safetensors --net policy-value:blocks=6,channels=64 --sprt 0,50 --out better",
                "goes on with a network, gated by a sequential test",
            ),
            (
                "improve trax --generations 5 --games 5000 --sprt 0,30 --out trax-weights",
                "the weights of its evaluation",
            ),
        ],
    ),
    (
        &["book", "build"],
        &[
            ("book build othello --out my.book --positions 3000 --level 10", "from searches"),
            ("book build othello --out my.book --records games/ --min-games 5", "from records"),
            ("book build trax --out my.book --positions 500 --level 5", "Trax, searches of five plies"),
        ],
    ),
    (
        &["book", "show"],
        &[
            ("book show othello", "the shipped book, at the start"),
            ("book show othello f5d6c3 --book my.book", "a line"),
        ],
    ),
    (&["book", "merge"], &[("book merge othello one.book two.book --out both.book", "the deeper search wins")]),
    (
        &["cluster"],
        &[
            ("cluster init --db postgres://owner@localhost/games", "once"),
            ("cluster status --db postgres://tesuji_submitter@localhost/games", "jobs, workers, faults"),
            (
                "cluster collect 7 --db postgres://tesuji_submitter@localhost/games",
                "what one machine would have written",
            ),
        ],
    ),
    (
        &["cluster", "submit"],
        &[
            (
                "cluster submit --db postgres://tesuji_submitter@localhost/games selfplay othello --games 100000 --out self.set",
                "self-play",
            ),
            (
                "cluster submit --db postgres://tesuji_submitter@localhost/games match shogi alphabeta:nodes=20000 alphabeta:nodes=10000 --games 10000 --sprt 0,10",
                "a sequential test",
            ),
        ],
    ),
    (
        &["cluster", "work"],
        &[
            ("cluster work --db postgres://tesuji_worker@localhost/games", "on all cores, until it is told to end"),
            ("cluster work --db postgres://tesuji_worker@localhost/games --until-idle", "until nothing is left to do"),
        ],
    ),
    (&["bench"], &[("bench", "all games"), ("bench othello shogi", "two of them")]),
    (&["completions"], &[("completions bash > ~/.local/share/bash-completion/completions/tesuji", "for bash")]),
];

/// Adds the examples to the help.
pub(super) fn add(command: Command) -> Command {
    EXAMPLES.iter().fold(command, |command, (path, examples)| {
        let width = examples.iter().map(|(words, _)| words.chars().count()).max().unwrap_or(0).min(52);
        let line = |(words, about): &(&str, &str)| format!("\n  tesuji {words:<width$}  # {about}");
        let text = format!("Examples:{}", examples.iter().map(line).collect::<String>());
        at(command, path, &mut |command| command.after_help(text.clone()))
    })
}

#[cfg(test)]
mod tests {
    use tesuji_registry::shipped;

    use super::*;
    use crate::args::{arranged, parse};

    /// What the shell passes on: without the comment and redirections.
    fn words(line: &str) -> Vec<String> {
        let line = line.split("  #").next().unwrap_or_default();
        let line = line.split(" < ").next().and_then(|line| line.split(" > ").next()).unwrap_or_default();
        shell_words::split(line).unwrap()
    }

    /// Every example of every help text is accepted.
    #[test]
    fn examples_can_be_typed() {
        fn lines(command: &Command, found: &mut Vec<String>) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            found.extend(help.lines().filter(|line| line.starts_with("  tesuji ")).map(|line| line.trim().to_owned()));
            command.get_subcommands().for_each(|sub| lines(sub, found));
        }
        let registry = shipped();
        let mut found = Vec::new();
        lines(&crate::args::command(&registry), &mut found);
        assert!(found.len() > 50, "{found:?}");
        for line in found {
            let words = words(&line).into_iter().map(Into::into).collect();
            let parsed = parse(&registry, &arranged(&registry, words));
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
    }
}
