import deflist from "markdown-it-deflist";
import footnote from "markdown-it-footnote";
import tasks from "markdown-it-task-lists";

export default {
  title: "Notes of a workshop",
  themeConfig: { nav: [{ text: "Start", link: "/" }], outline: [2, 3] },
  markdown: {
    math: true,
    lineNumbers: true,
    config: (md) => md.use(deflist).use(footnote).use(tasks),
  },
};
