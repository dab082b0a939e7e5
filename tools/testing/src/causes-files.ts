/** The file of a run's folder with the declared events that were seen: of an operation, as `<operation> <event>`. */
export const causesFile = "causes.txt";
/** The same of events that their operation does not declare; each fails a test. */
export const undeclaredFile = "undeclared-causes.txt";
/** The setting that names the run's folder to a service. */
export const runFolderSetting = "PARLEY_TEST_RUN_FOLDER";
