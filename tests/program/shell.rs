//! Scripts for shells and manual pages.

use std::process::Command;

use crate::command_line::Place;

/// Whether a program is there to be asked.
fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

#[test]
fn every_shell_has_a_script_that_knows_commands_and_options() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.ok(&["completions", shell]);
        for word in ["extract", "recalibrate", "output-format", "xmltei"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let ended = place.run(&["completions", "tcsh"]);
    assert!(ended.code == 2 && ended.err.contains("elvish"), "{ended}");
}

#[cfg(unix)]
#[test]
fn bash_completes_by_the_script() {
    if !is_there("bash") {
        println!("left out: there is no bash");
        return;
    }
    let place = Place::new();
    place.write("duramen.bash", place.ok(&["completions", "bash"]));
    let ask = "source ./duramen.bash; complete -p duramen; COMP_WORDS=(duramen extr); COMP_CWORD=1; \
               _duramen duramen extr duramen; echo \"${COMPREPLY[@]}\"";
    let asked = Command::new("bash").args(["-c", ask]).current_dir(place.folder.path()).output().unwrap();
    let said = String::from_utf8(asked.stdout).unwrap();
    assert!(asked.status.success(), "{}", String::from_utf8_lossy(&asked.stderr));
    assert!(said.contains("-F _duramen duramen") && said.ends_with("extract extractors\n"), "{said}");
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new();
    let written = place.ok(&["man", "-d", "man"]);
    assert!(written.contains("man/duramen-model-recalibrate.1\n"), "{written}");
    let program = place.read("man/duramen.1");
    let named = program.lines().filter(|line| line.starts_with("duramen\\-") && line.ends_with("(1)"));
    let names: Vec<String> = named.map(|line| line.replace('\\', "").replace("(1)", ".1")).collect();
    assert!(names.len() > 15, "{program}");
    for name in names {
        let page = place.read(&format!("man/{name}"));
        for part in [".TH ", ".SH NAME", ".SH SYNOPSIS", ".SH \"GENERAL OPTIONS\""] {
            assert!(page.contains(part), "{name} has no {part}");
        }
    }
    let page = place.read("man/duramen-extract.1");
    assert!(page.contains(".SH EXAMPLES\n.nf\nduramen extract page.html\n"), "{page}");
    assert!(
        !place.path("man/duramen-help.1").exists() && !place.path("man/duramen-options-table.1").exists()
    );
    for entry in place.path("man").read_dir().unwrap() {
        let path = entry.unwrap().path();
        if is_there("groff") {
            let read = Command::new("groff").args(["-man", "-Tutf8", "-ww"]).arg(&path).output().unwrap();
            let said = String::from_utf8_lossy(&read.stderr).into_owned();
            assert!(read.status.success() && !said.contains("error"), "{}: {said}", path.display());
        }
        if is_there("mandoc") {
            let read =
                Command::new("mandoc").args(["-T", "lint", "-W", "error"]).arg(&path).output().unwrap();
            assert!(read.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&read.stdout));
        }
    }
}
