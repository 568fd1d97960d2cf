"""stub"""
def torture(options, folders, report): pass
