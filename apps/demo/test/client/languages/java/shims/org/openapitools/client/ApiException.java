package org.openapitools.client;

/** Named by the models, and thrown by the transport only. */
public class ApiException extends Exception {}
