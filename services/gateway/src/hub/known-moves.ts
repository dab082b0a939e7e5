/**
 * The joins and leaves of one user that this node has received, by their sequences, while events of these servers from
 * before them may still wait. They decide which events of a server lie outside of the user's memberships, whatever the
 * database says meanwhile: what is loaded may be ahead of the events.
 */
export class KnownMoves {
  /**
   * Of each server in the order of the stream. A leave stays until the next join: one for each server that the user has
   * left since the oldest connection began.
   */
  readonly #moves = new Map<string, { sequence: number; isJoin: boolean }[]>();

  /** May be repeated. Moves that were read from the stream may be noted behind later ones. */
  note(serverId: string, sequence: number, isJoin: boolean): void {
    const known = this.#moves.get(serverId) ?? [];
    if (known.some((move) => move.sequence === sequence)) return;
    const moves = [...known, { sequence, isJoin }].sort((one, other) => one.sequence - other.sequence);
    this.#moves.set(serverId, moves);
  }

  /** Forgets the moves up to a sequence, when no event of the server from before it waits. */
  forget(serverId: string, upTo: number): void {
    const moves = this.#moves.get(serverId)?.filter(({ sequence }) => sequence > upTo) ?? [];
    if (moves.length > 0) this.#moves.set(serverId, moves);
    else this.#moves.delete(serverId);
  }

  /** Whether an event lies behind a leave and before the next join, or before the first join. */
  isAway(serverId: string, sequence: number): boolean {
    const moves = this.#moves.get(serverId);
    if (moves === undefined) return false;
    const before = moves.findLast((move) => move.sequence <= sequence);
    return before === undefined ? moves[0]?.isJoin === true : !before.isJoin;
  }
}
