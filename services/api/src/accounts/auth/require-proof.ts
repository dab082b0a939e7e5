/**
 * Asks for work before a request that anybody can send, where the installation wants that (docs/protocol/registration.md#34.2).
 *
 * @param altcha the answer of the request to a challenge
 * @throws ServiceError 400 without the answer to a challenge that nobody has used yet
 */
export type RequireProof = (altcha: unknown, address: string) => Promise<void>;
