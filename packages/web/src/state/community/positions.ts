/**
 * Positions that put things into an order with the fewest changes, as each change is a request of its own. Positions
 * are integers from 0 on; a thing keeps its own if it can.
 *
 * @param current the positions of the things in the wanted order, to be made ascending
 * @param max the highest position that may be used
 * @returns the positions in the same order
 */
export function newPositions(current: readonly number[], max = Number.POSITIVE_INFINITY): number[] {
  const count = current.length;
  const kept = [{ index: -1, position: -1 }];
  for (const index of longestKept(current, max)) kept.push({ index, position: current[index] ?? 0 });
  if (max !== Number.POSITIVE_INFINITY) kept.push({ index: count, position: max + 1 });
  return current.map((_, index) => {
    const before = kept.findLast((one) => one.index <= index) ?? { index: -1, position: -1 };
    const after = kept.find((one) => one.index > index);
    if (after === undefined) return before.position + index - before.index;
    const share = (index - before.index) / (after.index - before.index);
    return before.position + Math.floor((after.position - before.position) * share);
  });
}

/**
 * Indexes of the largest selection that can keep its positions: between two of them, there are enough positions for the
 * things between them. That is the longest part of `position - index` that does not fall.
 */
function longestKept(current: readonly number[], max: number): number[] {
  const lengths: number[] = [];
  const previous: number[] = [];
  let best = -1;
  for (const [index, position] of current.entries()) {
    const room = position - index;
    lengths[index] = 0;
    previous[index] = -1;
    if (room < 0 || position > max - (current.length - 1 - index)) continue;
    lengths[index] = 1;
    for (let before = 0; before < index; before += 1) {
      const length = lengths[before] ?? 0;
      if (length === 0 || length < (lengths[index] ?? 0) || (current[before] ?? 0) - before > room) continue;
      lengths[index] = length + 1;
      previous[index] = before;
    }
    if (best === -1 || (lengths[index] ?? 0) > (lengths[best] ?? 0)) best = index;
  }
  const chosen: number[] = [];
  for (let index = best; index !== -1; index = previous[index] ?? -1) chosen.unshift(index);
  return chosen;
}
