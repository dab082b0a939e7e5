import { codeTokens } from "./code-tokens.js";
import type { HighlightRequest } from "./highlight.js";

// Beside the page: a code that takes the highlighter long must not stop it. The page ends the worker then.
addEventListener("message", (event) => {
  const { language, code }: HighlightRequest = event.data;
  postMessage(codeTokens(language, code));
});
