/**
 * Whether files break a rule: one of them has a listed type, or the message has more than it may.
 *
 * @param added types of the files that are added
 * @param total how many the message has with them
 */
export function findForbiddenFile(
  { added, total }: { added: readonly string[]; total: number },
  rule: { mime_types: readonly string[]; max?: number | undefined },
): { term: string | null } | null {
  if (added.length === 0) return null;
  const isListed = (type: string) =>
    rule.mime_types.some((listed) => (listed.endsWith("/*") ? type.startsWith(listed.slice(0, -1)) : type === listed));
  const forbidden = added.map((type) => type.split(";")[0]?.trim().toLowerCase() ?? "").find(isListed);
  if (forbidden !== undefined) return { term: forbidden };
  return rule.max !== undefined && total > rule.max ? { term: null } : null;
}
