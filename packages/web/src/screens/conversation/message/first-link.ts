const code = /```[\s\S]*?(?:```|$)|`[^`]*`/g;
const link = /\bhttps?:\/\/[^\s<>()[\]"'`]+/i;
const trailing = /[.,;:!?]+$/;

/** The first web address of a message outside of code, which gets a preview. */
export function firstLink(content: string): string | null {
  const found = link.exec(content.replace(code, " "))?.[0].replace(trailing, "");
  return found !== undefined && URL.canParse(found) ? found : null;
}
