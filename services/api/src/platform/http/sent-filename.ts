/** Folders before a name: of any system, and of Windows as old browsers send them. */
const folders = /^(?:.*\/|(?:[a-z]:|\\).*\\)/is;

/** The HTML standard escapes these three characters of a form's names, and no percent sign. */
const escaped = new Map([
  ["%22", '"'],
  ["%0D", "\r"],
  ["%0A", "\n"],
]);

/**
 * The name of a file as its sender sees it, without folders.
 *
 * @param filename parameter of the part's Content-Disposition; undefined when it has none
 */
export function sentFilename(filename: string | undefined): string | undefined {
  return filename?.replace(/%(?:22|0D|0A)/gi, (code) => escaped.get(code.toUpperCase()) ?? code).replace(folders, "");
}
