/** A file of an archive. */
export interface ZipPart {
  name: string;
  /** The whole text, or what makes the bytes piece by piece once those before it are written. */
  content: string | (() => AsyncIterable<string | Uint8Array>);
}

/** A file with a value as JSON. */
export const jsonPart = (name: string, value: unknown): ZipPart => ({ name, content: JSON.stringify(value) });

/** A file with an array, from pages of the JSON of its items. */
export const arrayPart = (name: string, pages: () => AsyncIterable<string[]>): ZipPart => ({
  name,
  content: () => asArray(pages()),
});

/** A file with a line for each item, from pages of their JSON. */
export const linesPart = (name: string, pages: () => AsyncIterable<string[]>): ZipPart => ({
  name,
  content: () => asLines(pages()),
});

async function* asArray(pages: AsyncIterable<string[]>): AsyncGenerator<string> {
  let start = "[";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield start + page.join(",");
    start = ",";
  }
  yield start === "[" ? "[]" : "]";
}

async function* asLines(pages: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const page of pages) if (page.length > 0) yield `${page.join("\n")}\n`;
}
