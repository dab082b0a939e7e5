/** The tour of the README as somebody pastes it, against another address than that of `npm start`. */
export function tourOf(readme: string, url: string): string {
  const [, tour = ""] = /<!-- tour -->\n```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  const usual = 'const base = "http://localhost:8080";';
  if (!tour.includes(usual)) throw new Error("The README has no tour of http://localhost:8080.");
  return tour.replace(usual, `const base = ${JSON.stringify(url)};`);
}
