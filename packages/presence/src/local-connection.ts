/**
 * A connection of this process.
 *
 * States: *registering* (its connect is under way) → *registered* (under `lease`) or *unregistered* (Redis was out of
 * reach; maintenance registers it). A registered one whose lease is not the present one is registered again.
 */
export interface LocalConnection {
  userId: string;
  isNumbered: boolean;
  state: "registering" | "registered" | "unregistered";
  order: string | null;
  /** The lease under which it is registered, or may be; null before the first attempt. */
  lease: string | null;
  /** Ids of the channels that it shows, separated by spaces. */
  view: string;
  /** The {@link view} that Redis has. */
  storedView: string;
}
