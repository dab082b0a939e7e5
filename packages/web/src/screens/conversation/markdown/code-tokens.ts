import { common, createLowlight } from "lowlight";

/** A piece of a code, and its kind in the language: `keyword`, `string` …; null for nothing special. */
export interface CodeToken {
  kind: string | null;
  text: string;
}

type Tree = ReturnType<typeof lowlight.highlight>;

const lowlight = createLowlight(common);

/**
 * The pieces of a code in a language, which together are the code.
 *
 * @param language name or other name, such as `ts`
 * @returns null for a language that is not known
 */
export function codeTokens(language: string, code: string): CodeToken[] | null {
  return lowlight.registered(language) ? tokensIn(lowlight.highlight(language, code), null) : null;
}

function tokensIn({ children }: Pick<Tree, "children">, kind: string | null): CodeToken[] {
  return children.flatMap((node) => {
    if (node.type === "text") return { kind, text: node.value };
    return node.type === "element" ? tokensIn(node, kindOf(node.properties.className) ?? kind) : [];
  });
}

/** `["hljs-title", "function_"]` is a title. */
function kindOf(className: unknown): string | null {
  const [first] = Array.isArray(className) ? className : [];
  return typeof first === "string" ? first.replace(/^hljs-/, "") : null;
}
