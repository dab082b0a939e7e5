/** Reports a thrown error, with the name of its event. */
export type ReportError = (error: unknown, name: string) => boolean;

/** A function that is called with a payload, and with its context. */
type Listener<Payload, Extra> = (payload: Payload, extra: Extra) => unknown;

/** Listeners of named events, each with a payload type of its own, and of any event at all. */
export class Listeners<Events extends object, Extra, Any extends { readonly name: string }> {
  readonly #any = new Set<(event: Any) => unknown>();
  readonly #byName: { [Name in keyof Events]?: Map<Listener<Events[Name], Extra>, Listener<Events[Name], Extra>> } = {};
  readonly #report: ReportError;

  /** `report` gets the error that a listener throws, or rejects with; it returns false when nothing took the error. */
  constructor(report: ReportError) {
    this.#report = report;
  }

  /** Adds a listener; the function that is returned removes it. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name], Extra>): () => void {
    return this.#add(name, listener, listener);
  }

  /** Adds a listener that is called once. */
  once<Name extends keyof Events>(name: Name, listener: Listener<Events[Name], Extra>): () => void {
    return this.#add(name, listener, (payload, extra) => {
      this.off(name, listener);
      return listener(payload, extra);
    });
  }

  /** Removes a listener. */
  off<Name extends keyof Events>(name: Name, listener: Listener<Events[Name], Extra>): void {
    this.#byName[name]?.delete(listener);
  }

  /** Whether there is a listener for this name. */
  has(name: string): name is Extract<keyof Events, string> {
    return Object.hasOwn(this.#byName, name);
  }

  /** How many listeners an event has. */
  count(name: keyof Events): number {
    return this.#byName[name]?.size ?? 0;
  }

  /** Calls the listeners in the order in which they were added. */
  emit<Name extends keyof Events>(name: Name, payload: Events[Name], extra: Extra): void {
    for (const call of [...(this.#byName[name]?.values() ?? [])]) {
      this.#call(() => call(payload, extra), String(name));
    }
  }

  /** Adds a listener of all that {@link Listeners.emitAny} is called with. */
  onAny(listener: (event: Any) => unknown): () => void {
    this.#any.add(listener);
    return () => void this.#any.delete(listener);
  }

  /** Calls the listeners of any event. */
  emitAny(event: Any): void {
    for (const listener of [...this.#any]) this.#call(() => listener(event), event.name);
  }

  #call(call: () => unknown, name: string): void {
    try {
      const result = call();
      if (result instanceof Promise) result.catch((error: unknown) => this.#failed(error, name));
    } catch (error) {
      this.#failed(error, name);
    }
  }

  #add<Name extends keyof Events>(
    name: Name,
    listener: Listener<Events[Name], Extra>,
    call: Listener<Events[Name], Extra>,
  ): () => void {
    const listeners: Map<Listener<Events[Name], Extra>, Listener<Events[Name], Extra>> = this.#byName[name] ??
    new Map();
    this.#byName[name] = listeners;
    // Again to the end: a listener that is added twice is called once.
    listeners.delete(listener);
    listeners.set(listener, call);
    return () => this.off(name, listener);
  }

  /** An error that nothing took is uncaught. */
  #failed(error: unknown, name: string): void {
    if (this.#report(error, name)) return;
    queueMicrotask(() => {
      throw error;
    });
  }
}
