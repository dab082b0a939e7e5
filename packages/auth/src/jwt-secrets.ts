/**
 * The secret of this installation and, while it is being rotated, the former one. The first signs and seals; what any of
 * them has signed or sealed is accepted.
 */
export function jwtSecrets(config: {
  JWT_SECRET: string;
  JWT_SECRET_PREVIOUS?: string | undefined;
}): [string, ...string[]] {
  const { JWT_SECRET, JWT_SECRET_PREVIOUS } = config;
  return JWT_SECRET_PREVIOUS === undefined ? [JWT_SECRET] : [JWT_SECRET, JWT_SECRET_PREVIOUS];
}
