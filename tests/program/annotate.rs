//! Labels by reading: sheets, answers, a program that answers, and the corpus that comes of it.

use crate::command_line::{Ended, Place};

/// A page of a site of its own.
fn page(number: usize) -> String {
    let words = ["oak", "ash", "elm", "yew", "fir"][number % 5];
    format!(
        "<!DOCTYPE html><html lang=en><head><title>The {words} number {number}</title></head><body>
        <ul><li><a href=/>Home</a></li><li><a href=/trees>Trees</a></li><li><a href=/about>About</a></li></ul>
        <h1>The {words} number {number}</h1><p>The {words} of the village fell on Monday night, and nobody was hurt.</p>
        <p>It had stood there for four hundred years, as the mayor said on Tuesday.</p>
        <div>Nice tree, I will miss it.</div></body></html>"
    )
}

/// A folder of pages with an index of their addresses.
fn place(pages: usize) -> Place {
    let place = Place::new();
    let mut index = "id,url\n".to_owned();
    for number in 0..pages {
        place.write(&format!("pages/{number}.html"), page(number));
        index += &format!("{number},https://site{number}.example/story\n");
    }
    place.write("pages/urls.csv", index);
    place
}

/// The answer of a careful reader to a sheet of these pages.
fn answer(sheet: &str) -> String {
    let first = sheet.lines().next().unwrap();
    format!("{first}\nH 4; C 5-6; K 7; kind article\n")
}

fn sheets(place: &Place) -> Ended {
    place.run(&["annotate", "--sheets", "pages/", "-o", "sheets/"])
}

fn answers(place: &Place, more: &[&str]) -> Ended {
    let arguments = ["annotate", "--answers", "answers/", "--sheets", "sheets/", "-o", "labels/"];
    place.run(&[&arguments[..], more].concat())
}

#[test]
fn pages_become_sheets_and_answers_become_a_corpus() {
    let place = place(10);
    place.write("pages/empty.html", "<title>Nothing</title>");
    let made = sheets(&place);
    assert_eq!(made.code, 1, "{made}");
    assert!(made.err.contains("empty: the page holds no text"), "{made}");
    assert!(made.err.contains("10 sheets of") && made.err.contains("1 of 10 to be read twice"), "{made}");
    let sheet = place.read("sheets/3.txt");
    insta::assert_snapshot!("sheet", sheet);
    // Again, the same bytes.
    assert_eq!(sheets(&place).code, 1);
    assert_eq!(place.read("sheets/3.txt"), sheet);

    let second: Vec<String> = std::fs::read_dir(place.path("sheets/second"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(second.len(), 1, "{second:?}");
    for number in 0..9 {
        place.write(&format!("answers/{number}.txt"), answer(&place.read(&format!("sheets/{number}.txt"))));
    }
    let twice = place.read(&format!("sheets/second/{}", second[0]));
    place.write(&format!("answers/second/{}", second[0]), answer(&twice).replace("; K 7", ""));
    let read = answers(&place, &[]);
    assert_eq!(read.code, 0, "{read}");
    insta::assert_snapshot!("answers", read.to_string());

    // What comes of it is a corpus.
    let check = place.run(&["data", "check", "labels"]);
    assert_eq!(check.code, 0, "{check}");
    let train = place.run(&["train", "--config", "blocks", "--dataset", "labels", "-o", "mine.json"]);
    assert_eq!(train.code, 0, "{train}");
    let found = place.run(&["extract", "--model", "mine.json", "pages/9.html"]);
    assert!(found.out.contains("It had stood there") && !found.out.contains("Home"), "{found}");
}

#[test]
fn a_wrong_answer_is_refused_with_file_and_line_and_the_others_are_kept() {
    let place = place(4);
    sheets(&place);
    let good = answer(&place.read("sheets/0.txt"));
    place.write("answers/0.txt", &good);
    place.write("answers/1.txt", &good);
    place.write("answers/2.txt", answer(&place.read("sheets/2.txt")).replace("K 7", "K 6-8"));
    place.write("answers/9.txt", &good);
    let read = answers(&place, &[]);
    assert_eq!(read.code, 1, "{read}");
    insta::assert_snapshot!("refused", read.to_string());
    // A sheet whose page is gone does not stop the others.
    std::fs::remove_file(place.path("sheets/pages/3.html")).unwrap();
    let read = answers(&place, &[]);
    assert_eq!(read.code, 1, "{read}");
    assert!(read.err.contains("3.html") && read.err.contains("1 page labelled"), "{read}");
    // None at all is an error.
    for name in ["0", "9"] {
        std::fs::remove_file(place.path(&format!("answers/{name}.txt"))).unwrap();
    }
    assert_eq!(answers(&place, &[]).code, 3);
}

#[cfg(unix)]
#[test]
fn a_program_answers_and_a_second_run_asks_for_what_failed_alone() {
    let place = place(6);
    sheets(&place);
    // Answers the blocks by their words, never the fourth sheet, and of the fifth names a block that is not there.
    place.write(
        "reader.sh",
        "cat > sheet; read first < sheet\n\
         case \"$(sed -n 2p sheet)\" in *' 4') [ -e late ] || exit 3;; *' 5') [ -e late ] || { echo \"$first\"; echo C 99; exit; };; esac\n\
         echo \"$first\"; echo 'H 4; C 5-6; kind article'; echo asked >> asked\n"
            .replace("sheet;", "sheet$$;")
            .replace("< sheet", "< sheet$$")
            .replace("2p sheet", "2p sheet$$"),
    );
    let ask = || answers(&place, &["--ask", "sh reader.sh"]);
    let first = ask();
    assert_eq!(first.code, 1, "{first}");
    assert!(first.err.contains("sheets/4.txt: the program ended with exit status: 3"), "{first}");
    assert!(first.err.contains("sheets/5.txt: its answer is refused: line 2: 99 is not there"), "{first}");
    assert!(place.path("answers/5.refused").exists());
    let n_asked = || place.read("asked").lines().count();
    let so_far = n_asked();
    place.write("late", "");
    let then = ask();
    assert_eq!(then.code, 0, "{then}");
    assert!(then.err.contains("6 pages labelled; 0 answers refused, 0 sheets without an answer"), "{then}");
    assert!(!place.path("answers/5.refused").exists());
    assert!(n_asked() <= so_far + 4, "those of the first run are not asked again");
}

#[test]
fn labels_that_are_there_are_reviewed_the_most_doubtful_first() {
    let place = place(4);
    for number in 0..4 {
        let words = ["oak", "ash", "elm", "yew"][number];
        let text = format!(
            "The {words} number {number}\n\nThe {words} of the village fell on Monday night, and nobody was hurt.\n\n\
             It had stood there for four hundred years, as the mayor said on Tuesday."
        );
        place.write(
            &format!("pages/{number}.txt"),
            if number == 2 { "Home\nTrees\nAbout".to_owned() } else { text },
        );
    }
    let review = ["annotate", "--review", "--sheets", "pages/", "-m", "web-blocks", "-o", "review/"];
    let made = place.run(&review);
    assert_eq!(made.code, 0, "{made}");
    let table = place.read("review/doubts.csv");
    insta::assert_snapshot!("doubts", table);
    // The labels as they are, then mended by hand.
    let given = place.read("review/given/2.txt");
    assert!(
        given.ends_with("\nC 1-3\n") || given.ends_with("\nH 1-3\n") || given.ends_with("\nS 1-3\n"),
        "{given}"
    );
    place.write("review/given/2.txt", answer(&place.read("review/2.txt")));
    let labels = ["annotate", "--answers", "review/given", "--sheets", "review", "-o", "labels"];
    let read = place.run(&labels);
    assert_eq!(read.code, 0, "{read}");
    assert!(read.err.contains("4 pages labelled"), "{read}");
    let again = place.run(&["annotate", "--review", "--sheets", "labels", "-m", "web-blocks", "-o", "again"]);
    assert_eq!(again.code, 0, "{again}");
    let doubt = |table: &str, page: &str| -> f64 {
        let line = table.lines().find(|line| line.starts_with(page)).unwrap();
        line.split(',').nth(3).unwrap().parse().unwrap()
    };
    assert!(doubt(&place.read("again/doubts.csv"), "2,") < doubt(&table, "2,") / 2.0);
    // Nothing to review, and one site alone.
    for (arguments, problem) in [
        (&["annotate", "--review", "no-such-corpus", "-d", "x"][..], "no-such-corpus"),
        (&["annotate", "--review", "pages", "--order", "name", "-d", "x"], "--order"),
    ] {
        let failed = place.run(arguments);
        assert!(failed.code > 1 && failed.err.contains(problem), "{failed}");
    }
}

#[test]
fn the_guide_is_printed_and_what_is_missing_is_said() {
    let place = place(1);
    let guide = place.run(&["annotate", "--guide"]);
    assert_eq!((guide.code, &*guide.err), (0, ""));
    assert!(guide.out.contains("sheet 5d41402a"), "{guide}");
    for (arguments, problem) in [
        (&["annotate", "--sheets", "nowhere", "-o", "sheets"][..], "nowhere"),
        (&["annotate", "--sheets", "--answers", "answers", "pages", "-o", "labels"], "pages holds no sheets"),
        (&["annotate", "pages", "-o", "labels", "-m", "nowhere.json"], "nowhere.json"),
        (&["annotate", "pages", "-o", "labels", "--sheets", "--port", "1"], "--port"),
        (&["annotate", "--review", "pages", "-o", "labels"], "no page has a reference"),
        (&["annotate", "--sheets", "pages", "-o", "sheets", "--second", "2"], "a share, 0 to 1"),
    ] {
        let ended = place.run(arguments);
        assert!(ended.code >= 2 && ended.err.contains(problem), "{arguments:?}\n{ended}");
    }
}
