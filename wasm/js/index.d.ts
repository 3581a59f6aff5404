/** What a piece of a page is. */
export type Label = "not-content" | "headline" | "full-text" | "supplemental" | "related-content" | "comments";

/** What a page is as a whole. */
export type Kind =
  | "article"
  | "forum"
  | "product"
  | "collection"
  | "listing"
  | "documentation"
  | "service"
  | "recipe"
  | "home-page"
  | "form"
  | "other";

/**
 * `ok`; `empty` if the page shows no text or none is kept; `unsure` if the confidence is below what was asked for; `too-large` beyond
 * `maxBytes` or `maxNodes`; else `error`.
 */
export type Status = "ok" | "empty" | "unsure" | "too-large" | "error";

export interface ExtractOptions {
  /** The page's address: links and images become absolute. */
  url?: string;
  /** The page's name in the result. Default: its address, or `page`. */
  id?: string;
  /** The charset of the HTTP header, of a page given as bytes. Default: what the page states, or a guess. */
  charset?: string;
  /**
   * What is taken in: `article`, `everything`, or what a corpus would take in, such as `"headline in, captions out, byline out"`.
   * Default `article`. The tables of another are made at its first page and kept, which takes some milliseconds and megabytes.
   */
  convention?: "article" | "everything" | (string & {});
  /** The labels that are kept. Default `headline`, `full-text` and `supplemental`. */
  labels?: Label[];
  /** Keep readers' comments in the text. Default false; not beside `labels`. */
  comments?: boolean;
  /** Keep what has this probability of the labels, from 0 to 1, in place of what the model decides. */
  threshold?: number;
  /** From 0 to 1: a page whose confidence is below this has the status `unsure` and no text. */
  minConfidence?: number;
  /** Keep text that the page hides from its readers as any other. Default false. */
  hidden?: boolean;
  /** XPaths of what is not kept, whatever it is. */
  prune?: string[];
  /** The largest page in bytes. Default 33554432 (32 MiB). */
  maxBytes?: number;
  /** The most nodes of a page. Default 1000000. */
  maxNodes?: number;
  /** Write data tables as tables; otherwise their cells are paragraphs. Default true. */
  tables?: boolean;
  /** Write links in Markdown and HTML. Default false. */
  links?: boolean;
  /** Write images in Markdown and HTML. Default false. */
  images?: boolean;
  /** Whether the result has `markdown`, which is null otherwise. Default true, as of the next two. */
  markdown?: boolean;
  /** Whether the result has `html`. */
  html?: boolean;
  /** Whether the result has `blocks`. */
  blocks?: boolean;
}

/** A shown text node. */
export interface Block {
  /** The path that selects the node in the page. */
  xpath: string;
  /** The name of the element that it stands in. */
  tag: string;
  label: Label;
  /** Whether the text has it. */
  kept: boolean;
  /** P(label); the sum is 1. */
  probabilities: Record<Label, number> | null;
  /** Its text, white space folded. */
  text: string;
}

/** What repeats on forums, listings, collections, home pages and recipes; what is not found is not there. */
export interface PageRecord {
  title?: string;
  url?: string;
  author?: string;
  /** ISO 8601. */
  date?: string;
  /** As it stands there. */
  price?: string;
  text: string;
}

/** What is known of a page; what is not known is null, or an empty list. */
export interface Extracted {
  id: string;
  /** The address that was given, else the one that the page states. */
  url: string | null;
  status: Status;
  /** Why the status is not `ok`; or that words look as if they were read in a wrong encoding, or that scripts hold the text. */
  problem: string | null;
  title: string | null;
  /** Joined by commas. */
  author: string | null;
  /** ISO 8601, unless the page's own words could not be read as a date. */
  date: string | null;
  dateModified: string | null;
  /** A BCP 47 tag. */
  language: string | null;
  site: string | null;
  /** The page's own summary. */
  description: string | null;
  /** The address of the image that the page names for itself. */
  image: string | null;
  /** Such as `CC BY-SA 4.0`. */
  license: string | null;
  categories: string[];
  tags: string[];
  /** The similarity hash of the text, 16 hexadecimal digits. */
  fingerprint: string | null;
  /** The F1 of the kept words that the model expects, 0 to 1. */
  confidence: number | null;
  /** The most probable type of the page. */
  kind: Kind | null;
  /** P(type); the sum is 1. */
  pageType: Record<Kind, number> | null;
  /** The probability that the page is no document but a frame that a script fills. Null of a page that could not be read. */
  pageFault: Record<"script-shell", number> | null;
  /** The number of words shown under each label. */
  words: Record<Label, number>;
  /** The number of words that the page hides from its readers. */
  hiddenWords: number;
  /** The kept text. */
  text: string;
  /** Readers' comments, whether they are kept or not. */
  comments: string;
  /** The kept text as CommonMark with GitHub's tables. */
  markdown: string | null;
  /** The kept text as a complete, clean HTML document. */
  html: string | null;
  records: PageRecord[];
  /** The page's shown text nodes in document order. */
  blocks: Block[] | null;
}

/** A model that is loaded. */
export interface Duramen {
  /**
   * Finds the content of a page: a string, or bytes as they came over the network, of which the encoding is found as browsers find it.
   * Throws a {@link DuramenError} if an option is wrong; what is wrong with the page is the `status` of the result.
   */
  extract(html: string | Uint8Array | ArrayBuffer, options?: ExtractOptions): Extracted;
  /** Gives the model's memory back; it cannot be used afterwards. */
  free(): void;
}

/** What is wrong with a call, with a model, or with Duramen itself. */
export class DuramenError extends Error {
  name: "DuramenError";
}

/** What is read: an address, in Node also the path of a file, or the bytes. */
export type Source = string | URL | ArrayBuffer | Uint8Array;

/**
 * Loads a model: the default, which lies beside the module, or a file made by `duramen train`, packed with gzip or not.
 *
 * `wasm` is where the module is, if not beside this file.
 */
export function load(model?: Source, options?: { wasm?: Source | WebAssembly.Module }): Promise<Duramen>;
