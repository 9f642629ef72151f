//! The shell that runs a PostgreSQL server and ends it together with the process of the tests.

use std::process::{Child, ChildStdin, Command, Stdio};

/// Script that runs a server until the standard input ends, which it does with the process that holds the
/// other end, however that process ends.
const RUN: &str = r#"
    "$@" & server=$!
    cat > /dev/null
    kill -QUIT $server; wait $server
"#;

/// Script that also removes the folder of the server afterwards.
const RUN_AND_REMOVE: &str = r#"
    "$@" & server=$!
    cat > /dev/null
    kill -QUIT $server; wait $server
    rm -rf "$FOLDER"
"#;

/// The remains of a server that has ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum Afterwards {
    /// The folder of the server, from which it can be started again.
    Folder,
    Nothing,
}

/// A shell that runs a server for as long as this process lives.
#[derive(Debug)]
pub(super) struct Keeper {
    shell: Child,
    /// The pipe that stays open for as long as the server is to run.
    input: ChildStdin,
}

impl Keeper {
    /// Starts a shell that runs this server.
    pub(super) fn start(mut shell: Command, server: &Command, afterwards: Afterwards) -> Self {
        let script = match afterwards {
            Afterwards::Folder => RUN,
            Afterwards::Nothing => RUN_AND_REMOVE,
        };
        shell
            .args(["-c", script, "keeper"])
            .arg(server.get_program())
            .args(server.get_args())
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        let mut shell = shell.spawn().expect("a shell");
        let input = shell.stdin.take().expect("a pipe");
        Self { shell, input }
    }

    /// Ends the server, if it has not ended, and waits for that.
    pub(super) fn end(self) {
        let Self { mut shell, input } = self;
        // The end of its input makes the shell end the server.
        drop(input);
        shell.wait().expect("the shell ends");
    }
}
