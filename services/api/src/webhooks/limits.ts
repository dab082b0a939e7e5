/** Webhooks of a server (docs/interface.md#16.1). */
export const webhooksPerServerMax = 10;
/** Longest URL of a webhook, in code points. */
export const webhookUrlLengthMax = 2000;
/** Deliveries that the log of a webhook shows. */
export const deliveriesShownMax = 100;
