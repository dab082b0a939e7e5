import { IncomingMessage, type ServerOptions, ServerResponse } from "node:http";
import type { Express, Response } from "express";

/**
 * Classes of the requests and responses of an app, for the server that it handles. Express gives each request and
 * response the prototypes of its app. Those that are made with them keep the layout that V8 has optimised its accesses
 * for; with others the accesses to their properties are looked up (docs/processes/api.md#api).
 *
 * @param wrote is called after each write to a response, and after its end
 */
export function messageClasses(
  app: Express,
  wrote: (response: Response) => void,
): Pick<ServerOptions, "IncomingMessage" | "ServerResponse"> {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    override write(...args: unknown[]): boolean {
      const hasRoom = Reflect.apply(super.write, this, args);
      Reflect.apply(wrote, undefined, [this]);
      return hasRoom;
    }

    override end(...args: unknown[]): this {
      Reflect.apply(super.end, this, args);
      Reflect.apply(wrote, undefined, [this]);
      return this;
    }
  }
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
