/** Signs at the begin of a line that mark something here, as parts of an expression. */
interface LineMarks {
  headings: string;
  bullets: string;
  /** Behind the number of an item. */
  points: string;
}

/**
 * Makes what escapes the signs of a service that mark nothing there: what would become a heading, list or line across by
 * moving is escaped (section 32.3), also in quotes.
 */
export function lineEscaper({ headings, bullets, points }: LineMarks): (text: string) => string {
  const across = "([-_*=])(?=(?:[ \\t]*\\6)*[ \\t]*$)";
  const marking = new RegExp(
    `^((?:[ \\t]*(?:&gt;|>))*[ \\t]*)(?:(${headings}(?=\\s|$))|(${bullets})(?=[ \\t])|(\\d{1,9})(${points})(?=[ \\t])|${across})`,
    "gm",
  );
  return (text) =>
    text.replace(marking, (all: string, blank: string, ...groups: (string | undefined)[]) => {
      const [heading, bullet, number, point, line] = groups;
      if (number !== undefined) return `${blank}${number}\\${point}`;
      return (heading ?? bullet ?? line) ? `${blank}\\${all.slice(blank.length)}` : all;
    });
}

/** Of a service that has no such marks. */
export const escapedLines = lineEscaper({ headings: "#{1,6}", bullets: "[-+*]", points: "[.)]" });
