/** Public error texts of webhooks. */
export const webhookErrors = {
  notFound: "Webhook not found",
  deliveryNotFound: "Delivery not found",
} as const;
