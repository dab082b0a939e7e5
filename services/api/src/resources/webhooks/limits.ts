/** Longest URL of a webhook, in code points. */
export const webhookUrlLengthMax = 2000;
/** Deliveries that the log of a webhook shows. */
export const deliveriesShownMax = 100;
