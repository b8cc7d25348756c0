"""Calls the service with the generated client. Prints one JSON text for each outcome: its Python type and what it says."""

import json
import sys

import openapi_client
from openapi_client.api.decisions_api import DecisionsApi
from openapi_client.models.document_access_request import DocumentAccessRequest
from openapi_client.models.loan_approval_request import LoanApprovalRequest

url, calls = sys.argv[1], json.loads(sys.argv[2])
client = openapi_client.ApiClient(openapi_client.Configuration(host=url))
api = DecisionsApi(client)
evaluate = {
    "loan-approval": (api.evaluate_loan_approval, LoanApprovalRequest),
    "document-access": (api.evaluate_document_access, DocumentAccessRequest),
}


def plain(model):
    """As the service writes it."""
    return json.loads(json.dumps(client.sanitize_for_serialization(model)))


def with_floats(body):
    """The client insists on them: a whole number is none to it."""
    given = body["input"]
    if "applicant" in given:
        given["amount"] = float(given["amount"])
        given["applicant"]["income"] = float(given["applicant"]["income"])
    return json.dumps(body)


class Reply:
    """What the client's own reader takes."""

    def __init__(self, data):
        self.data = data


for call in calls:
    method, request = evaluate[call["id"]]
    try:
        # The service is to refuse what is wrong, not the client.
        body = call["body"] if call["refused"] else client.deserialize(Reply(with_floats(call["body"])), (request,), True)
        result = method(body, _check_input_type=not call["refused"])
        print(json.dumps([200, type(result).__name__, plain(result)]))
    except openapi_client.ApiException as refusal:
        print(json.dumps([refusal.status, "ApiException", json.loads(refusal.body)]))
