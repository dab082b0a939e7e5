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

  /** Whether somebody listened to this name at any time. */
  has(name: string): name is Extract<keyof Events, string> {
    return Object.hasOwn(this.#byName, name);
  }

  /** Tells the listeners in the order in which they were added; one that throws does not keep others from hearing. */
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
