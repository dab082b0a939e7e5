/** Public error texts of accounts. */
export const userErrors = {
  notFound: "User not found",
  status: "Invalid status",
} as const;
