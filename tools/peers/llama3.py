"""The vocabulary of Llama 3: its rank file (a line is a token in base64 and its rank) and 256 special tokens."""
import base64

# The pre-tokenization expression that goes with this rank file.
PATTERN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
           r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
SPECIAL = 256
NAMED = {0: "begin_of_text", 1: "end_of_text", 6: "start_header_id", 7: "end_header_id", 8: "eom_id", 9: "eot_id"}
STOP = 9  # end of turn


def load(path):
    """Returns (tokens as bytes, {id: name of a special token}, [ids that stop], tiktoken encoding)."""
    import tiktoken  # here: the peers want the expression alone
    ranks = {}
    with open(path, "rb") as file:
        for line in file:
            if line.strip():
                token, rank = line.split()
                ranks[base64.b64decode(token)] = int(rank)
    count = len(ranks)
    special = {count + i: f"<|{NAMED.get(i, f'reserved_{i}')}|>" for i in range(SPECIAL)}
    tokens = sorted(ranks, key=ranks.get) + [name.encode() for name in special.values()]
    encoding = tiktoken.Encoding("llama3", pat_str=PATTERN, mergeable_ranks=ranks,
                                 special_tokens={name: i for i, name in special.items()})
    return tokens, special, [count + STOP], encoding
