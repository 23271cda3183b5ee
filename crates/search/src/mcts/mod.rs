//! Trees grown by play-outs (UCT) or by the judgement of a network (PUCT).
