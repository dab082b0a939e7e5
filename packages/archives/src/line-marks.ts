/** Signs at the begin of a line that mark headings, lists and lines across here. */
const marking =
  /^([ \t]*)(?:(#{1,6}(?=\s|$))|([-+*])(?=[ \t])|(\d{1,9})([.)])(?=[ \t])|([-_*=])(?=(?:[ \t]*\6)*[ \t]*$))/gm;

/** Words of a service without such marks: what would become a heading or list by moving is escaped (section 32.3). */
export const escapedLines = (text: string): string =>
  text.replace(marking, (all: string, blank: string, ...groups: (string | undefined)[]) => {
    const [heading, bullet, number, dot, across] = groups;
    if (number !== undefined) return `${blank}${number}\\${dot}`;
    return (heading ?? bullet ?? across) ? `${blank}\\${all.slice(blank.length)}` : all;
  });
