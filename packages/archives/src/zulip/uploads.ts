import { outsideCode } from "../text-parts.js";

const upload = /[ \t]*!?\[[^\]\n]*\]\((?:https?:\/\/[^/\s)]+)?\/?user_uploads\/([^\s)]+)\)/g;

/** A text without its links of uploads, and the paths of these, each once; code keeps its links. */
export function withoutUploads(text: string): { content: string; paths: string[] } {
  const paths = new Set<string>();
  const content = outsideCode(text, (plain) => [
    plain.replace(upload, (_, path: string) => {
      paths.add(decoded(path.replace(/[?#].*$/, "")));
      return "";
    }),
  ]).join("");
  return { content, paths: [...paths] };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
