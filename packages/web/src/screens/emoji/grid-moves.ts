import type { Direction } from "../../texts/languages.js";

/** A cell of the grid. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** Rows that a page key passes. */
const rowsPerPage = 5;

/**
 * Where a key leads in a grid.
 *
 * @param counts cells of each row; rows of titles have none
 * @returns null where the key leads out of the grid at its top, and undefined for a key that is none of the grid's
 */
export function moved(
  counts: readonly number[],
  from: Cell,
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  direction: Direction,
): Cell | null | undefined {
  const filled = counts.flatMap((count, row) => (count > 0 ? [row] : []));
  const [first, last] = [filled[0] ?? 0, filled.at(-1) ?? 0];
  const onward = direction === "ltr" ? "ArrowRight" : "ArrowLeft";
  const end = (row: number): Cell => ({ row, column: (counts[row] ?? 1) - 1 });
  const rowAt = (steps: number): Cell | null => {
    const index = filled.indexOf(from.row) + steps;
    if (index < 0 && steps === -1) return null;
    const row = filled[Math.max(0, Math.min(index, filled.length - 1))] ?? first;
    return { row, column: Math.min(from.column, end(row).column) };
  };
  switch (key) {
    case "ArrowDown":
      return rowAt(1);
    case "ArrowUp":
      return rowAt(-1);
    case "PageDown":
      return rowAt(rowsPerPage);
    case "PageUp":
      return rowAt(-rowsPerPage);
    case "Home":
      return { row: ctrlKey ? first : from.row, column: 0 };
    case "End":
      return end(ctrlKey ? last : from.row);
    case "ArrowLeft":
    case "ArrowRight":
      return key === onward ? after(from) : before(from);
    default:
      return undefined;
  }
  function after({ row, column }: Cell): Cell {
    if (column < end(row).column) return { row, column: column + 1 };
    return row === last ? from : { row: filled[filled.indexOf(row) + 1] ?? row, column: 0 };
  }
  function before({ row, column }: Cell): Cell {
    if (column > 0) return { row, column: column - 1 };
    return row === first ? from : end(filled[filled.indexOf(row) - 1] ?? row);
  }
}
