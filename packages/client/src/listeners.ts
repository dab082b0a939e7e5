/** Listeners of named events, each with a payload type of its own. */
export class Listeners<Events extends object> {
  readonly #byName: { [Name in keyof Events]?: Set<(payload: Events[Name]) => void> } = {};

  /** Adds a listener; the function that is returned removes it. */
  on<Name extends keyof Events>(name: Name, listener: (payload: Events[Name]) => void): () => void {
    const listeners: Set<(payload: Events[Name]) => void> = this.#byName[name] ?? new Set();
    this.#byName[name] = listeners;
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** Whether a listener for this name has ever been added. */
  has(name: string): name is Extract<keyof Events, string> {
    return Object.hasOwn(this.#byName, name);
  }

  /** Calls the listeners in the order in which they were added. What one throws is reported later, as uncaught. */
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void {
    for (const listener of [...(this.#byName[name] ?? [])]) {
      try {
        listener(payload);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
