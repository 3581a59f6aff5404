// The text of HTML with lines, for peers that give HTML: neither jsdom nor linkedom has an innerText that knows them, and textContent
// runs the words of neighboring paragraphs together.

// Elements that stand on lines of their own.
const BLOCKS = new Set(
  ("ADDRESS ARTICLE ASIDE BLOCKQUOTE BR CAPTION CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM " +
    "H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL").split(" "),
);

export function textOf(root) {
  let text = "";
  // Nodes to visit, the next one last; null ends a block.
  const due = [root];
  while (due.length > 0) {
    const node = due.pop();
    if (node === null) {
      text += "\n";
    } else if (node.nodeType === 3) {
      text += node.data;
    } else if (node.nodeType === 1) {
      if (node !== root && BLOCKS.has(node.tagName.toUpperCase())) {
        text += "\n";
        due.push(null);
      }
      due.push(...[...node.childNodes].reverse());
    }
  }
  return text;
}
