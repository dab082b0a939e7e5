/** The role that services log in as on a PostgreSQL that is started here. */
export const serviceRoleName = "parley_service";

/** The URL of the same database for the role of services, whose password is the owner's. */
export function serviceUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = serviceRoleName;
  return url.toString();
}
