"""stub"""
def run(options, place, floors): pass
