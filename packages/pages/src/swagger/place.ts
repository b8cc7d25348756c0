const { prefix = "swagger/", root = "./", docs } = document.documentElement.dataset;

/** Where the page is. The server writes this into the HTML, because the host chooses the path. */
export const place = {
  /** Where the page's files and the document are, relative to the page. */
  prefix,
  page: location.pathname,
  /** Undefined where the service has no docs page. */
  docs: docs === undefined ? undefined : `${root}docs`,
};
