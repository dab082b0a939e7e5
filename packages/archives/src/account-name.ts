const maxLength = 32;
const marks = /\p{M}/gu;
const others = /[^A-Za-z0-9]+/g;
const ends = /^_+|_+$/g;

/**
 * What the name of an imported account begins with: letters without their marks, every run of others one `_`, none at the
 * ends, at most 32 (section 32.3, people). The writer puts a number behind a taken one.
 *
 * @returns 2 to 32 of letters, digits and `_`; `user` where nothing is left
 */
export function accountName(name: string): string {
  const plain = name.normalize("NFKD").replace(marks, "").replace(others, "_").replace(ends, "");
  const name32 = plain.slice(0, maxLength).replace(ends, "");
  if (name32 === "") return "user";
  return name32.length === 1 ? `${name32}1` : name32;
}
