//! `bindgen INPUT.wasm OUT_DIR`: wasm-bindgen for the `web` target, as a crate of this workspace.
//!
//! Going through the library instead of the `wasm-bindgen` command keeps the version in Cargo.lock and builds in a
//! fraction of the time. The options are those of
//! `wasm-bindgen --target web --omit-default-module-path --no-typescript`:
//! the glue must not look for a file next to itself (the wasm is handed to it as bytes), and its generated types
//! name raw exports, so the package has hand-written ones.
use std::{env, error::Error, path::Path, process::ExitCode};

use wasm_bindgen_cli_support::Bindgen;

fn run(input: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    Bindgen::new()
        .input_path(input)
        .web(true)?
        .omit_default_module_path(true)
        .typescript(false)
        // Adds `__wbg_reset_state` to the glue: a new instance from the kept module after a trap.
        .reset_state_function(true)
        .generate(out)?;
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [input, out] = &args[..] else {
        eprintln!("usage: bindgen INPUT.wasm OUT_DIR");
        return ExitCode::from(2);
    };
    match run(Path::new(input), Path::new(out)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bindgen: {error}");
            ExitCode::FAILURE
        }
    }
}
