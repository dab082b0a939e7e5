import { invalidMultipart } from "../http/multipart.js";
import { emptyFile, sizeExceeded, undetermined } from "./inspect.js";
import { noFiles, tooMany } from "./receive.js";

/** Text of the 403 without ATTACH_FILES. */
export const needAttachFiles = "You don't have permission to attach files in this channel";

/** Texts of every 400 about files (docs/interface.md#7.6). */
export const fileRefusals = [
  noFiles,
  emptyFile,
  sizeExceeded,
  "File type '<mime>' is not allowed",
  undetermined,
  tooMany,
  invalidMultipart,
];
