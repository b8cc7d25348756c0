import type { RequestAccess } from "@decern/core/host";
import type { Request } from "express";

/** Reads Express's request as its routers do. They move the part of `url` that they matched to `baseUrl`. */
export const requestAccess: RequestAccess<Request> = {
  method: (request) => request.method,
  url: ({ baseUrl, path, originalUrl }) => {
    // What is left of `/reports` below a router at `/reports` is nothing, which Express calls `/`.
    const isAdded = path === "/" && baseUrl !== "" && originalUrl.replace(/[?#].*$/s, "").endsWith(baseUrl);
    return isAdded ? baseUrl : baseUrl + path;
  },
  headers: (request) => request.headers,
  ip: (request) => request.ip,
};
