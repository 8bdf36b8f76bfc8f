"""Whose need is longest ago goes first: a paging policy over lines of JSON.

pagefault lab run mine.jsonl --policy lru 'exec:python3 least_recently_needed.py'
"""
import json
import sys

queues = {}  # A queue is one process of a kernel, or one run of a simulation: page -> None, the least recently needed first.


def victims(queue, release, eligible, sizes):
    size = dict(zip(eligible, sizes))
    named = []
    for page in queue:
        if release <= 0:
            break
        if page in size:
            named.append(page)
            release -= size[page]
    return named


for line in sys.stdin:
    told = json.loads(line)
    kind, queue = told["type"], queues.setdefault(told.get("of"), {})
    if kind == "hello":
        print(json.dumps({"id": "least-recently-needed", "version": 1}), flush=True)
    elif kind == "birth":
        queue[told["page"]["id"]] = None
    elif kind == "need":
        for need in told["needs"]:
            if need["id"] in queue:
                queue[need["id"]] = queue.pop(need["id"])  # To the end.
    elif kind == "residency" and told["now"] == "evicted":
        queue.pop(told["page"], None)
    elif kind == "victims":
        answer = victims(queue, told["release"], told["eligible"], told["sizes"])
        print(json.dumps({"victims": answer}), flush=True)
    elif kind == "forget":
        del queues[told["of"]]
