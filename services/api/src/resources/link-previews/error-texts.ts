/** Public error texts of link previews (docs/interface.md#18.3). */
export const previewErrors = {
  scheme: "url must use http:// or https://",
  length: "url must be at most 2048 characters",
  address: "This address cannot be previewed",
  tooLarge: "Pages over 1 MB cannot be previewed",
  failed: "This page cannot be previewed",
} as const;
