import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";

/** Where distributions put servers although a normal user's PATH leaves it out. */
const extraDirectories = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"];

/** The full path of a program, or null. */
export async function findBinary(name: string): Promise<string | null> {
  const directories = [...(process.env.PATH ?? "").split(delimiter), ...extraDirectories];
  for (const directory of directories) {
    if (directory === "") continue;
    const candidate = join(directory, name);
    const executable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (executable) return candidate;
  }
  return null;
}
