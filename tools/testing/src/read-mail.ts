/** A mail as a person reads it. */
export interface ReadMail {
  readonly subject: string;
  readonly text: string;
  /** Empty for a mail of plain text. */
  readonly html: string;
  /** The header `Content-Language`. */
  readonly language: string;
  /** The value of a header; empty without it. */
  readonly header: (name: string) => string;
}

/** Reads the source of a mail: plain text, or plain text and HTML. */
export function readMail(source: string): ReadMail {
  const { header, body } = partOf(source);
  const subject = header("Subject").replaceAll(
    /=\?UTF-8\?([BQ])\?([^?]*)\?=\s*/gi,
    (_, encoding: string, text: string) => decoded(text.replaceAll("_", " "), encoding),
  );
  const boundary = /boundary="([^"]+)"/.exec(header("Content-Type"))?.[1];
  const parts = boundary === undefined ? [partOf(source)] : body.split(`--${boundary}`).slice(1, -1).map(partOf);
  const textOf = (type: string) => {
    const part = parts.find((each) => each.header("Content-Type").startsWith(type));
    return part === undefined
      ? ""
      : decoded(part.body, part.header("Content-Transfer-Encoding")).replaceAll("\r\n", "\n");
  };
  return {
    subject,
    text: textOf("text/plain"),
    html: textOf("text/html"),
    language: header("Content-Language"),
    header,
  };
}

function partOf(source: string) {
  const [head = "", ...parts] = source.replace(/^\r?\n/, "").split(/\r?\n\r?\n/);
  const header = (name: string) => {
    const value = new RegExp(`^${name}: ?(.*(?:\\r?\\n[ \\t].*)*)`, "im").exec(head)?.[1] ?? "";
    return value.replaceAll(/\r?\n\s+/g, " ").trim();
  };
  return { header, body: parts.join("\n\n") };
}

const decoded = (text: string, encoding: string) =>
  /^b/i.test(encoding) ? Buffer.from(text, "base64").toString() : /^q/i.test(encoding) ? unquoted(text) : text;

/** Decodes quoted-printable. */
function unquoted(text: string): string {
  const bytes = text
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
