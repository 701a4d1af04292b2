"""Check the shuffle of a finished Mandala record with Python alone: ``python verify_record.py game.txt``. Silence: all is right."""

# fmt: off
import hashlib, hmac, sys  # thirty lines, to be read in one go; `sandriver verify` checks the rules and the result as well

head, (start, *moves) = (part.splitlines() for part in open(sys.argv[1], encoding="utf-8").read().split("\n\n", 1))
head, number, deck, pile = dict(line.split(": ", 1) for line in head), 0, "".join(18 * colour for colour in "KGPYOR"), ""
secret, table, nonces = bytes.fromhex(head["Secret"]), head["Table"].encode(), [head["Nonce A"], head["Nonce B"]]
def mac(key, *parts): return hmac.digest(key, b"\0".join(parts), "sha256")
def text(cards): return "".join(f"{colour}{cards.count(colour)}" for colour in "KGPYOR" if colour in cards) or "-"
def draw(things, retry=0):  # what the stream's next number means; one of the incomplete last stretch is tried again
    x = int.from_bytes(mac(key, number.to_bytes(8, "big") + retry.to_bytes(4, "big"))[:8], "big")
    return things[x % len(things)] if x < 2**64 - 2**64 % len(things) else draw(things, retry + 1)
def deal(count, dealt=""):  # the discard pile takes the place of an empty deck: at once (eager), or when the next card is needed (lazy)
    global deck, pile, number
    while len(dealt) < count or (count and pile and not deck and '"eager"' in head["Options"]):
        if pile and not deck: deck, pile = "".join(sorted(pile, key="KGPYOR".index)), ""
        else: dealt, number = dealt + draw(deck), number + 1; deck = deck.replace(dealt[-1], "", 1)
    return dealt
assert hashlib.sha256(secret).hexdigest() == head["Commitment"], "the commitment is not the SHA-256 of the secret"
for n in (0, 1): assert nonces[n] == mac(secret, b"sandriver/1 bot", table, b"%d" % n)[:16].hex() or head["Seat " + "AB"[n]][0] == "p"
key, (first, how), seat = mac(secret, b"sandriver/1", table, *map(str.encode, nonces)), head["First"].split(), "AB".index(head["First"][0])
assert how == "fixed" or (draw("AB") == first and (number := 1)), "the committed shuffle lets the other seat begin"
mandalas, rest = [[deal(2), "", ""], [deal(2), "", ""]], [deal(count) for count in (6, 6, 2, 2)]  # mountain, field of A, field of B
assert start == "{}/-/- {}/-/- {}/{} -/- {}+-/{}+- {} - {} 0/0".format(*map(text, (mandalas[0][0], mandalas[1][0], *rest, deck)), first)
for ply, (action, told) in enumerate(((move + ">").split(">")[:2] for move in moves), 1):
    kind, cards = action[0], action.strip("bcdf12345678") * int(action[-1] if action[0] in "df" else 1)
    if kind == "d": pile, seat = pile + cards, 1 - seat
    elif kind != "c": mandala, idle = mandalas[int(action[1]) - 1], 0; mandala["bf".index(kind) * (1 + seat)] += cards; seat = 1 - seat
    else: pile += mandala[0].count(cards) * cards * idle * ("" in mandala[1:]); idle = 1 - idle; mandala[0] = mandala[0].replace(cards, "")
    done = not mandala[0] if kind == "c" else kind != "d" and mandala[1:] == ["", ""] and len(set(mandala[0])) == 6
    refill = 2 * (done and (ply < len(moves) or head["Result"].split()[1] not in ("sixth_colour", "last_mandala")))
    dealt = deal(len(told) - refill)
    if done: pile += "".join(mandala); mandala[:] = [deal(refill), "", ""]; dealt += mandala[0]
    assert dealt == told, f"move {ply}: the committed shuffle deals {dealt}, not {told}"
