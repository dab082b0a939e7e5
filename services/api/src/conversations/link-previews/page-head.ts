import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { titleLengthMax } from "./limits.js";

/** Most characters of the content of a `<meta>` element that are looked at: more than any text or address may have. */
const metaContentLengthMax = 8_192;

const metaAttributes: ReadonlySet<string> = new Set(["property", "name", "content"]);

/**
 * Collects the title and the `<meta>` elements of a head from the tokens of a page. It does not know which elements are
 * open, so that neither their number nor their depth costs anything.
 */
export class PageHead {
  /** The text of the `<title>` element. */
  title = "";
  /** Whether the head has ended; the parser ignores everything after it. */
  isOver = false;
  readonly #wanted: ReadonlySet<string>;
  readonly #contents = new Map<string, string>();
  readonly #tokenizer = new Tokenizer({ decodeEntities: true }, this.#callbacks());
  /** The last two pieces of the page: a name that begins in the one before is longer than any that counts. */
  #pieces: readonly [string, string] = ["", ""];
  /** Position of the first of them in the page. */
  #start = 0;
  #isInTitle = false;
  /** Attributes of the `<meta>` element whose tag is being read; null in any other tag. */
  #meta: Map<string, string> | null = null;
  #attribute = "";
  #value = "";

  /** @param wanted names of the `<meta>` elements that are collected */
  constructor(wanted: Iterable<string>) {
    this.#wanted = new Set(wanted);
  }

  /** Reads the next piece of the page. */
  write(piece: string): void {
    if (this.isOver || piece === "") return;
    const [dropped, kept] = this.#pieces;
    this.#start += dropped.length;
    this.#pieces = [kept, piece];
    this.#tokenizer.write(piece);
  }

  /** The content of the first of the names that a `<meta>` element has. */
  first(...names: readonly string[]): string | undefined {
    const name = names.find((each) => this.#contents.has(each));
    return name === undefined ? undefined : this.#contents.get(name);
  }

  #callbacks(): TokenizerCallbacks {
    return {
      onopentagname: (start, end) => this.#openTag(this.#textAt(start, end).toLowerCase()),
      onattribname: (start, end) => {
        this.#attribute = this.#meta === null ? "" : this.#textAt(start, end).toLowerCase();
        this.#value = "";
      },
      onattribdata: (start, end) => this.#addToValue(this.#textAt(start, end)),
      onattribentity: (codePoint) => this.#addToValue(String.fromCodePoint(codePoint)),
      onattribend: () => {
        if (!metaAttributes.has(this.#attribute) || this.#meta?.has(this.#attribute) !== false) return;
        this.#meta.set(this.#attribute, this.#value);
      },
      onopentagend: () => this.#keepMeta(),
      onselfclosingtag: () => this.#keepMeta(),
      onclosetag: (start, end) => {
        this.#isInTitle = false;
        if (this.#textAt(start, end).toLowerCase() === "head") this.#end();
      },
      ontext: (start, end) => this.#addToTitle(() => this.#textAt(start, end)),
      ontextentity: (codePoint) => this.#addToTitle(() => String.fromCodePoint(codePoint)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore,
    };
  }

  #openTag(name: string): void {
    if (name === "body") this.#end();
    this.#isInTitle = name === "title" && this.title === "";
    this.#meta = name === "meta" ? new Map() : null;
  }

  /** More than enough for a text of a preview; an endless one is not collected. */
  #addToValue(text: string): void {
    if (metaAttributes.has(this.#attribute) && this.#value.length < metaContentLengthMax) this.#value += text;
  }

  #addToTitle(text: () => string): void {
    if (this.#isInTitle && this.title.length < titleLengthMax * 4) this.title += text();
  }

  #keepMeta(): void {
    const name = (this.#meta?.get("property") ?? this.#meta?.get("name") ?? "").toLowerCase();
    const content = this.#meta?.get("content")?.trim() ?? "";
    if (this.#wanted.has(name) && content !== "" && !this.#contents.has(name)) this.#contents.set(name, content);
    this.#meta = null;
  }

  #end(): void {
    this.isOver = true;
    this.#tokenizer.pause();
  }

  #textAt(start: number, end: number): string {
    if (start < this.#start) return "";
    const [before, piece] = this.#pieces;
    const from = start - this.#start;
    const until = end - this.#start;
    if (from >= before.length) return piece.slice(from - before.length, until - before.length);
    return before.slice(from, until) + piece.slice(0, Math.max(until - before.length, 0));
  }
}

function ignore(): void {}
