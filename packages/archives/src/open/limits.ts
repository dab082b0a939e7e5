/** Entries of an archive (section 32.1). */
export const maxEntries = 200_000;

/** Bytes up to which an entry may grow whatever its packed size. */
export const freeGrowth = 10_000_000;

/** How many times its packed size a larger entry may have. */
export const maxGrowth = 100;

/** How many times `IMPORT_MAX_BYTES` all entries together may have. */
export const maxGrowthOfAll = 20;

/** UTF-16 units of all names together: they are all in memory. */
export const maxNames = 32_000_000;

/** People of an archive of another service, and records of a list of them: their names are in memory. */
export const maxPeople = 500_000;
